/** XML-RPC of blog editors (server/api/protocols/xml-rpc): the usual address, and one under /api. */
export const XML_RPC_PATHS = ['/xmlrpc.php', '/api/xmlrpc'] as const;

/** Really Simple Discovery: names the XML-RPC address to editors. */
export const RSD_PATH = '/rsd.xml';

/** An account has one blog here, whatever its name. */
export const BLOG_ID = '1';

/** Model Context Protocol (server/api/protocols/mcp). */
export const MCP_PATH = '/mcp';

export const PROTOCOL_PATHS = [...XML_RPC_PATHS, MCP_PATH] as const;

/** Whether the API answers this path in the format of another protocol. */
export const isProtocolPath = (path: string): boolean => PROTOCOL_PATHS.some((known) => known === path);
