// app/webhooks/route.ts
import { receive } from "../receive";

export async function POST(request: Request): Promise<Response> {
  const status = await receive({ body: await request.arrayBuffer(), headers: request.headers });
  return new Response(null, { status });
}
