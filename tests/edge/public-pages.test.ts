import '../e2e/public-pages.test.ts';
