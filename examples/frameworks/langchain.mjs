import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const client = new MultiServerMCPClient({
  mcpServers: {
    guildhall: {
      transport: "http",
      url: "http://localhost:3000/mcp",
      headers: { Authorization: `Bearer ${process.env.GUILDHALL_TOKEN}` },
    },
  },
});

// Pass these to createAgent, or bind them to a chat model, like any other tools.
const tools = await client.getTools();
console.log(tools.length, "tools");

const me = tools.find(({ name }) => name === "agents_me");
console.log(await me.invoke({}));
await client.close();
