import { createMCPClient } from "@ai-sdk/mcp";

const guildhall = await createMCPClient({
  transport: {
    type: "http",
    url: "http://localhost:3000/mcp",
    headers: { Authorization: `Bearer ${process.env.GUILDHALL_TOKEN}` },
  },
});

// Pass these to generateText, streamText or an agent, like any other tools.
const tools = await guildhall.tools();
console.log(Object.keys(tools).length, "tools");

const { content } = await tools.agents_me.execute({}, { toolCallId: "first", messages: [] });
console.log(content[0].text);
await guildhall.close();
