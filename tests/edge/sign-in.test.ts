import '../e2e/sign-in.test.ts';
