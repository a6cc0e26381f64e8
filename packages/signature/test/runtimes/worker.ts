import { judge } from "./suite.ts";

export default {
  async fetch(): Promise<Response> {
    return Response.json(await judge());
  },
};
