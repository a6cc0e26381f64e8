import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv";
import formats from "ajv-formats";

export interface CheckedResponse {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

type Json = Readonly<Record<string, unknown>>;

export type ResponseChecker = (response: CheckedResponse) => void;

const checkers = new Map<string, ResponseChecker>();

/**
 * Checks responses against the OpenAPI document that the server itself serves. Worlds with the same document share the compiled schemas.
 *
 * @throws Error for a response that the document does not describe, or describes differently
 */
export function checkerFor(document: string): ResponseChecker {
  const checker = checkers.get(document) ?? createResponseChecker(JSON.parse(document));
  checkers.set(document, checker);
  return checker;
}

function createResponseChecker(document: Json): ResponseChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });
  const validators = new Map<string, ValidateFunction>();
  const paths = Object.keys(asJson(document["paths"]));

  function validatorAt(pointer: string): ValidateFunction {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const compiled = ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, compiled);
    return compiled;
  }

  return ({ method, path, status, body }) => {
    const template = paths.find((each) => toPattern(each).test(path));
    if (template === undefined) {
      if (status === 404) return;
      throw new Error(`${method} ${path} is not in the document, but got the status ${status}`);
    }
    const operation = asJson(asJson(asJson(document["paths"])[template])[method.toLowerCase()]);
    const response = asJson(asJson(operation["responses"])[String(status)]);
    if (Object.keys(response).length === 0) {
      if (status === 405) return;
      throw new Error(
        `${method} ${template} does not describe the status ${status}: ${JSON.stringify(body)}`,
      );
    }
    const reference = response["$ref"];
    const pointer =
      typeof reference === "string"
        ? reference.slice(1)
        : `/paths/${escapePointer(template)}/${method.toLowerCase()}/responses/${status}`;
    const validate = validatorAt(`${pointer}/content/application~1json/schema`);
    if (!validate(body)) {
      throw new Error(
        `${method} ${path} ${status} does not match the document: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
      );
    }
  };
}

function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
