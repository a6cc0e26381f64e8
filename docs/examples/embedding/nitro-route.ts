// server/routes/integrations/[...].ts
import { fromWebHandler } from "h3";
import { hookwright } from "./bakery.ts";

export default fromWebHandler((request) => hookwright.fetch(request));
