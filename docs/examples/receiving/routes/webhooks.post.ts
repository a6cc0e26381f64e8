// server/routes/webhooks.post.ts
import { fromWebHandler } from "h3";
import { receive } from "../receive";

export default fromWebHandler(async (request) => {
  // Not readBody(), which parses.
  const status = await receive({ body: await request.arrayBuffer(), headers: request.headers });
  return new Response(null, { status });
});
