import type { EventEmitter } from "node:events";

type Listener = Parameters<EventEmitter["on"]>[1];

/**
 * Listens to an event only while somebody else does, and before them. Node's HTTP server hands `upgrade` and similar requests to
 * listeners of these events if there are any, and otherwise treats them itself. A listener that only watches must not change that.
 */
export function listenBeside(emitter: EventEmitter, event: string, listener: Listener): void {
  const hasOthers = (): boolean => emitter.listeners(event).some((each) => each !== listener);
  const listen = (): void => {
    if (!emitter.listeners(event).includes(listener)) emitter.prependListener(event, listener);
  };
  if (hasOthers()) listen();
  emitter.on("newListener", (name, added) => {
    if (name === event && added !== listener) listen();
  });
  emitter.on("removeListener", (name, removed) => {
    if (name === event && removed !== listener && !hasOthers()) emitter.off(event, listener);
  });
}
