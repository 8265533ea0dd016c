import '../e2e/username.test.ts';
