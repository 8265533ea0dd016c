import '../e2e/comments.test.ts';
