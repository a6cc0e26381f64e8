import { hookwright } from "../../../lib/hookwright";

const answer = async (request: Request): Promise<Response> => (await hookwright()).fetch(request);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
