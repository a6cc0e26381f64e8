import type { EventEmitter } from "node:events";

type Listener = Parameters<EventEmitter["on"]>[1];

/**
 * Listens to an event only while another listener exists, and runs before it. Node's HTTP server passes `upgrade` and
 * similar requests to such listeners, if there are any, and otherwise handles them itself. An observer must not change
 * that.
 */
export function listenPassively(emitter: EventEmitter, event: string, listener: Listener): void {
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
