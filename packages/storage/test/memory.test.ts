import { runStoreContract } from "@hookwright/storage/contract";
import { memoryStore } from "@hookwright/storage/memory";

await runStoreContract(({ now }) => memoryStore({ now }), { modelRuns: 300 });
