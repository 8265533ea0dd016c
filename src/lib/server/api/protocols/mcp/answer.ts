import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { registerTools } from './tools.ts';

const INSTRUCTIONS =
  '这是一个中文博客网站。可以搜索和阅读公开的文章，替作者写草稿、改草稿、回复评论。发布文章前先问作者。';

/**
 * Answers one message of an MCP client. Nothing is kept between messages, so each may reach another node.
 * @param title name of the site
 */
export async function answerMcp(
  request: Request,
  {
    parsedBody,
    title,
    ...session
  }: { parsedBody: unknown; title: string } & Parameters<typeof registerTools>[1],
): Promise<Response> {
  const server = new McpServer({ name: 'moye', title, version: '1.0.0' }, { instructions: INSTRUCTIONS });
  registerTools(server, session);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
