/** A request for metrics and an access log. It has the pattern of its route instead of its path, and no personal data. */
export interface ServedRequest {
  /** `other` for an unknown method. */
  readonly method: string;
  /** Such as `/v1/orders/{id}`, or `unknown` for an unknown path. */
  readonly route: string;
  readonly status: number;
  /** Of an error response. */
  readonly errorCode: string | undefined;
  /** From the head of the request to the head of its response. */
  readonly durationMs: number;
  readonly requestId: string;
  /** Undefined if the request has no valid key or console token. */
  readonly accountId: string | undefined;
}

/** The head of a request, for traces. */
export interface StartedRequest {
  /** `other` for an unknown method. */
  readonly method: string;
  /** The path of the URL. It may hold personal data. */
  readonly path: string;
  readonly scheme: "http" | "https";
  readonly header: (name: string) => string | null;
  /** Whether it is a request to the host API with a valid token. Only then the client may say what is traced. */
  readonly isFromHost: () => boolean;
}

/** A request that is traced. */
export interface RequestTrace {
  /** Runs a function in the context of the request. */
  readonly run: <Result>(serve: () => Promise<Result>) => Promise<Result>;
  /** Called once, before the response is sent. */
  readonly end: (request: ServedRequest) => void;
}

/**
 * Starts the trace of a request. `undefined`: the request is not traced. It must neither wait nor throw.
 *
 * @param toStarted makes the description of the request, which only a traced request needs
 */
export type TraceRequest = (toStarted: () => StartedRequest) => RequestTrace | undefined;
