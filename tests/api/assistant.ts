import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Untyped } from './server.ts';

/** An assistant that uses tools with the client of the SDK. */
export interface Assistant {
  client: Client;
  /** Texts of a tool's answer; the first is JSON, unless the tool refused. */
  run(tool: string, input?: Record<string, unknown>): Promise<{ isError: boolean; texts: string[] }>;
  /** Uses a tool that must succeed; returns its first text, parsed. */
  succeed(tool: string, input?: Record<string, unknown>): Promise<Untyped>;
  /** The text with which a tool refuses, or null if it does not. */
  refusal(tool: string, input?: Record<string, unknown>): Promise<string | null>;
}

export async function connectAssistant(url: string, token: string): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  const run: Assistant['run'] = async (name, input = {}) => {
    const { content, isError } = (await client.callTool({ name, arguments: input })) as Untyped;
    return { isError: isError === true, texts: content.map(({ text }: { text: string }) => text) };
  };
  return {
    client,
    run,
    async succeed(tool, input) {
      const { isError, texts } = await run(tool, input);
      if (isError) throw new Error(texts.join());
      return JSON.parse(texts[0] ?? '');
    },
    async refusal(tool, input) {
      const { isError, texts } = await run(tool, input);
      return isError ? texts.join() : null;
    },
  };
}
