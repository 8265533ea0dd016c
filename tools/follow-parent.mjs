// @ts-check
// `npm start` preloads this file into the server: when the parent process dies without forwarding a signal
// (kill -9), the server stops as well instead of keeping the port and the database.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
