import { DeliveryError } from "@hookwright/delivery";
import type { ServerKeys } from "./server-keys.ts";

/** Makes and reads the tokens of links that work without signing in. */
export interface LinkTokens {
  seal(text: string): Promise<string>;
  /** The sealed text. Undefined: nobody made this token for such a link. */
  open(token: string): string | undefined;
}

/** The API masks texts with this prefix in its logs. */
const prefix = "hws_";
/** A longer text is no token, whatever the ids of the host. */
const longest = 1_000;

/**
 * Tokens are sealed with the server secret: nobody can make or change one, and a wrong one costs no read of the store.
 *
 * @param sealedFor what they are authenticated with, so that a token of another link is none
 */
export function createLinkTokens(
  serverKeys: Pick<ServerKeys, "box" | "seal">,
  sealedFor: string,
): LinkTokens {
  return {
    seal: async (text) => toToken(await serverKeys.seal(text, sealedFor)),
    open(token) {
      const sealed = readToken(token);
      if (sealed === undefined) return undefined;
      try {
        return serverKeys.box.open(sealed, sealedFor);
      } catch (error) {
        if (error instanceof DeliveryError) return undefined;
        throw error;
      }
    },
  };
}

/** In the alphabet of URLs. */
function toToken(sealed: string): string {
  return prefix + sealed.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Undefined if the text is no token. Only one spelling of a token is accepted. */
function readToken(token: string): string | undefined {
  if (!token.startsWith(prefix) || token.length > longest) return undefined;
  const sealed = token.slice(prefix.length);
  const text = sealed.slice(sealed.indexOf(".") + 1);
  return Buffer.from(text, "base64url").toString("base64url") === text ? sealed : undefined;
}
