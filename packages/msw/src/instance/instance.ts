import { createApi } from "@hookwright/api";
import type { ApiOptions } from "@hookwright/api";
import type { DeliveryRow } from "@hookwright/delivery";
import type {
  BlogPost,
  BodyForm,
  EmailList,
  EventRegistry,
  HookwrightError,
  Project,
  Subscriber,
} from "@hookwright/domain";
import { createServerKeys, createService, createSigning } from "@hookwright/service";
import type { ServerKeys, Service, Signing } from "@hookwright/service";
import type { Store } from "@hookwright/storage";
import { memoryStore } from "@hookwright/storage/memory";

export interface InstanceOptions {
  readonly accountId: string;
  /** The key of the program under test, for a key of the service. */
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly events: EventRegistry;
  /** @default "X-Service" */
  readonly headerPrefix?: string | undefined;
  /** @default "hookwright" */
  readonly bodyForm?: BodyForm | undefined;
  readonly now: () => number;
  /** @default the system's */
  readonly randomBytes?: ((size: number) => Uint8Array) | undefined;
}

/** The real service with one account, over a store in memory. Nothing is sent, and no timer runs. */
export interface Instance {
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly events: EventRegistry;
  readonly bodyForm: BodyForm | undefined;
  readonly now: () => number;
  readonly store: Store;
  readonly serverKeys: ServerKeys;
  readonly signing: Signing;
  readonly service: Service;
  /** @param failure what the API answers instead. @default none */
  readonly fetch: (request: Request, failure?: HookwrightError) => Promise<Response>;
  /** The deliveries that nobody has taken yet. */
  readonly due: DeliveryRow[];
  /** What was written, by id. The first site is the default of seeds. */
  readonly projects: Map<string, Project>;
  readonly emailLists: Map<string, EmailList>;
  readonly subscribers: Map<string, Subscriber>;
  readonly blogPosts: Map<string, BlogPost>;
  /** By kind and id: what `publish` was given, and under which events. */
  readonly published: Map<string, { readonly data: object; readonly events: ReadonlySet<string> }>;
}

/** The store has no data that is worth protecting. */
const secret = "the server secret of every mock";

export async function openInstance(options: InstanceOptions): Promise<Instance> {
  const { accountId, apiKey, baseUrl, events, headerPrefix, bodyForm, now, randomBytes } = options;
  const store = memoryStore({ now });
  const serverKeys = createServerKeys({ store, secret });
  const due: DeliveryRow[] = [];
  const real = createService({
    store,
    events,
    headerPrefix,
    bodyForm,
    serverKeys,
    worker: {
      delivers: () => true,
      offer: (_accountId, deliveries) => void due.push(...deliveries),
      rescan: () => {},
      webhookChanged: () => {},
    },
    testSender: { runAttempt: () => Promise.reject(new Error("The mock sends nothing.")) },
    targetPolicy: { privateTargets: false, trustedOrigins: [] },
    consoleTokenSeconds: 3_600,
    now,
    randomBytes,
    onError: (error) => console.error(error),
  });
  await real.accounts.put(accountId, {
    name: "Analytical Bakery",
    email: "owner@example.com",
    timezone: "Europe/London",
  });
  const key = await real.apiKeys.create(accountId, { name: "The program under test" });
  const subscribers = new Map<string, Subscriber>();
  const blogPosts = new Map<string, BlogPost>();
  const note = <Written extends { readonly subscriber: Subscriber }>(written: Written): Written => {
    subscribers.set(written.subscriber.id, written.subscriber);
    return written;
  };
  const service: Service = {
    ...real,
    authenticate: (token) => real.authenticate(token === apiKey ? key.api_key : token),
    // The service lists neither of them.
    subscribers: {
      subscribe: async (...given) => note(await real.subscribers.subscribe(...given)),
      put: async (...given) => note(await real.subscribers.put(...given)),
    },
    blogPosts: {
      async create(...given) {
        const post = await real.blogPosts.create(...given);
        blogPosts.set(post.id, post);
        return post;
      },
    },
  };
  const ofApi: ApiOptions = {
    service,
    events,
    headerPrefix,
    bodyForm,
    logger: errorLogger,
    now,
    randomBytes,
    basePath: new URL(baseUrl).pathname,
    publicUrl: baseUrl,
  };
  const api = createApi(ofApi);
  return {
    accountId,
    apiKeyId: key.id,
    events,
    bodyForm,
    now,
    store,
    serverKeys,
    signing: createSigning({ serverKeys, headerPrefix }),
    service,
    fetch: (request, failure) =>
      failure === undefined ? api.fetch(request) : failingApi(ofApi, failure).fetch(withKey(request)),
    due,
    projects: new Map(),
    emailLists: new Map(),
    subscribers,
    blogPosts,
    published: new Map(),
  };
}

const errorLogger = {
  info: () => {},
  warn: () => {},
  error: (message: string, fields?: object) => console.error(message, fields),
};
const silentLogger = { ...errorLogger, error: () => {} };

/** The first check of the API fails, so that the failure looks like any other. */
function failingApi(options: ApiOptions, failure: HookwrightError): ReturnType<typeof createApi> {
  const service = { ...options.service, authenticate: () => Promise.reject(failure) };
  return createApi({ ...options, service, logger: silentLogger });
}

/** A request without a key would fail because of that. */
function withKey(request: Request): Request {
  const headers = new Headers(request.headers);
  headers.set("authorization", "Bearer any");
  return new Request(request, { headers });
}
