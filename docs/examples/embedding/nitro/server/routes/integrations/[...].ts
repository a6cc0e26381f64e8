import { fromWebHandler } from "h3";
import { hookwright } from "../../lib/hookwright";

export default fromWebHandler(async (request) => (await hookwright()).fetch(request));
