/**
 * What a factory holds of the object that it gives out: others only read its properties.
 *
 * A property that changes is written by its owner, not computed by a getter: V8 keeps an object literal that has a getter as a
 * dictionary, and looks up whatever is asked of it, methods too, by name.
 */
export type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };
