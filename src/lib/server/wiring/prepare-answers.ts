import { apiDocument } from '../../contract/openapi/document.ts';
import type { Services } from '../services.ts';

/** Loads and computes what the first requests would wait for: a tenth of a second each. */
export async function prepareAnswers({ options }: Pick<Services, 'options'>): Promise<void> {
  apiDocument();
  if ((await options.read()).mcp) await import('../api/protocols/mcp/answer.ts');
}
