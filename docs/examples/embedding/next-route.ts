// app/integrations/[...path]/route.ts
import { hookwright } from "./bakery.ts";

const answer = (request: Request): Promise<Response> => hookwright.fetch(request);

export { answer as DELETE, answer as GET, answer as HEAD, answer as OPTIONS, answer as POST, answer as PUT };
