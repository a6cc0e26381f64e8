// server/routes/integrations/[...].ts
import { fromWebHandler } from "h3";
import { hookwright } from "./opened-once"; // of server/lib/hookwright

export default fromWebHandler(async (request) => (await hookwright()).fetch(request));
