import { forgetIndex, rebuildIfNeeded } from '../../src/lib/server/search/rebuild.ts';
import { openDatabase } from '../site/database.ts';

/** Rebuilds the search index of a site, as after an upgrade; prints the number of articles. */
const db = await openDatabase(process.env);
await db.write(forgetIndex);
process.stdout.write(String(await rebuildIfNeeded(db)));
await db.close();
