import { createApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { publishGuides } from './guides/guides.ts';
import type { Backend } from '../blog/backend.ts';

/** Runs the app in this process for `npm run dev`, and reopens it when the server's code changes. */
const opening = createApp(readConfig()).then(async (app) => {
  await publishGuides(app);
  return app;
});

import.meta.hot?.dispose(() => void opening.then((app) => app.close()));

export async function openDevBackend(): Promise<Backend> {
  return (await opening).backend;
}
