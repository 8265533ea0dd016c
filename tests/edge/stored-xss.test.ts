import '../e2e/stored-xss.test.ts';
