import '../e2e/live.test.ts';
