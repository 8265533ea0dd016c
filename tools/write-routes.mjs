// @ts-check
// Writes src/lib/contract/routes.generated.ts, the table of calls that browsers load: `npm run format`
import { writeFileSync } from 'node:fs';
import { calls } from '../src/lib/contract/calls/calls.ts';
import { routes } from '../src/lib/contract/routes.generated.ts';
import { inRoot } from './project.mjs';

// Known calls keep their places, because the description of the API lists their fields in this order.
const names = [...new Set([...Object.keys(routes), ...Object.keys(calls)])];
const rows = names.flatMap((name) => {
  if (!(name in calls)) return [];
  const { method, path } = calls[/** @type {keyof typeof calls} */ (name)];
  return [`  ${name}: ['${method}', '${path}'],\n`];
});
const text = `// Written by \`npm run format\` from the declarations in calls/.
import type { Routes } from './calls/calls.ts';

export const routes = {
${rows.join('')}} as const satisfies Routes;
`;
writeFileSync(inRoot('src', 'lib', 'contract', 'routes.generated.ts'), text);
