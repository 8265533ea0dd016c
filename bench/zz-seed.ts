import { seeded } from './seed.ts';
for (const size of ['few', 'many'] as const)
  console.log(await seeded(size, '/tmp/search-bench', '/work/shared/corpus/javaguide'));
