import '../e2e/profile.test.ts';
