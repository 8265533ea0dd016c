import '../e2e/api-docs.test.ts';
