export const GET = (): Response => new Response("The shop");
