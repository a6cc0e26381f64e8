/** A ticket and the receiver's certificate are two or three kilobytes; a hostile receiver may send far more. */
const maximumSessionBytes = 16_384;
const maximumSessions = 1_000;

/**
 * TLS sessions of verified connections, so that the next one to the same origin need not repeat the whole handshake. Node
 * checks no host name on a resumed session, so only a connection that passed that check may leave one here.
 */
export function createTlsSessions() {
  const byOrigin = new Map<string, Buffer>();
  return {
    get: (origin: string): Buffer | undefined => byOrigin.get(origin),
    keep(origin: string, session: Buffer): void {
      if (session.length > maximumSessionBytes) return;
      byOrigin.delete(origin);
      for (const oldest of byOrigin.keys()) {
        if (byOrigin.size < maximumSessions) break;
        byOrigin.delete(oldest);
      }
      byOrigin.set(origin, session);
    },
    /** After a connection without an answer: a receiver that cannot resume would leave every further attempt without one. */
    forget: (origin: string): boolean => byOrigin.delete(origin),
  };
}
