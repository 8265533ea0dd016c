import '../e2e/session-gate.test.ts';
