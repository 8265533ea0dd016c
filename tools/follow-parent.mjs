// @ts-check
// Preloaded into the server by `npm start`: when the process that started it is gone without a word (kill
// -9), the server stops as well instead of holding the port and the database.
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
