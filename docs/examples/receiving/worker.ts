import { SignatureError, verify } from "@hookwright/signature";

interface Environment {
  readonly WEBHOOK_SECRET: string;
}

export default {
  async fetch(request: Request, { WEBHOOK_SECRET }: Environment): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (request.method !== "POST" || pathname !== "/webhooks") return new Response(null, { status: 404 });
    try {
      const body = await request.arrayBuffer();
      const event = await verify({ body, headers: request.headers, secrets: WEBHOOK_SECRET.split(",") });
      if (event.test) return new Response(null, { status: 204 }); // its record does not exist
      if (event.event === "review.submitted") console.log(`${event.data.rating} stars: ${event.data.title}`);
      return new Response(null, { status: 204 });
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error; // an error of your code: 500, and the sender retries
      console.warn(`${error.code}: ${error.message}`);
      return new Response(null, { status: error.status });
    }
  },
};
