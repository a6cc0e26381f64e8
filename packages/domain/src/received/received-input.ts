import { z } from "zod";
import { text } from "../text.ts";

/** Twice as much as the longest body that Hookwright sends, in base64. */
const maximumCharacters = 900_000;

/** `POST /console/api/deliveries/{id}/attempts/{n}/compare`. */
export const receivedInputSchema = z
  .object({
    received: text({
      max: maximumCharacters,
      description: "What an endpoint received: the body, the headers, or both as the text of the request.",
      example: '{\n  "id": "order.created_1001"\n}',
    }),
    encoding: z
      .enum(["text", "base64"])
      .optional()
      .meta({ description: "`base64`: `received` has bytes of any kind. Default: `text`.", example: "text" }),
  })
  .meta({ description: "What was received." });
export type ReceivedInput = z.output<typeof receivedInputSchema>;
