/** A few lines of code in each of twenty languages, keyed by the language name of the code fence. */
export const CODE_SAMPLES: Readonly<Record<string, string>> = {
  javascript:
    'export const sum = (values) => values.reduce((a, b) => a + b, 0); // 求和\nconsole.log(sum([1, 2]));',
  typescript:
    'interface Point { x: number; y: number }\nexport function length({ x, y }: Point): number {\n  return Math.hypot(x, y);\n}',
  python:
    'class Counter:\n    """计数"""\n    def __init__(self) -> None:\n        self.value = 0\n\n    def next(self): return f"{self.value + 1}"',
  java: 'public final class Counter {\n    private final AtomicLong value = new AtomicLong();\n    public long next() { return value.incrementAndGet(); } // 原子地加一\n}',
  go: 'package main\n\nimport "fmt"\n\nfunc main() {\n\tdefer fmt.Println("done")\n\tgo func() { fmt.Printf("%d\\n", 42) }()\n}',
  c: '#include <stdio.h>\n\nint main(void) {\n  for (int i = 0; i < 10; i++) printf("%d\\n", i); /* 打印 */\n  return 0;\n}',
  cpp: '#include <vector>\ntemplate <typename T>\nT sum(const std::vector<T>& values) {\n  T total{};\n  for (auto value : values) total += value;\n  return total;\n}',
  rust: "fn longest<'a>(a: &'a str, b: &'a str) -> &'a str {\n    match a.len() { n if n > b.len() => a, _ => b }\n}",
  bash: '#!/usr/bin/env bash\nset -euo pipefail\nfor file in *.md; do\n  echo "$(basename "$file" .md)" | tr a-z A-Z\ndone',
  sql: "SELECT author, count(*) AS articles\nFROM articles\nWHERE create_time > '2026-01-01' -- 今年\nGROUP BY author HAVING count(*) > 1;",
  html: '<!doctype html>\n<main class="page">\n  <h1 id="a">标题</h1>\n  <script>console.log("x")</script>\n</main>',
  css: ':root { --ink: oklch(30% 0.02 260); }\n@media (prefers-color-scheme: dark) {\n  .page > h1::before { color: var(--ink); content: "§"; }\n}',
  json: '{ "name": "moye", "tags": ["博客", "中文"], "stars": 12.5, "isPublic": true, "next": null }',
  yaml: 'services:\n  web:\n    image: "moye:1"\n    ports: [8080:80]\n    environment:\n      SITE_URL: &url https://example.com',
  vue: '<script setup lang="ts">\nconst count = ref(0);\n</script>\n\n<template>\n  <button @click="count++">{{ count }}</button>\n</template>',
  csharp:
    'public record Point(double X, double Y)\n{\n    public double Length => Math.Sqrt(X * X + Y * Y); // 长度\n}',
  php: '<?php\nfunction greet(string $name): string {\n    return "你好，{$name}" . PHP_EOL;\n}\necho greet(\'世界\');',
  kotlin:
    'data class User(val name: String, val age: Int = 0)\n\nfun main() = listOf(User("a"), User("b")).filter { it.age > 1 }.forEach(::println)',
  swift:
    'struct Point: Codable {\n  let x, y: Double\n  var length: Double { (x * x + y * y).squareRoot() }\n}',
  ruby: 'class Counter\n  attr_reader :value\n  def initialize = @value = 0\n  def next! = @value += 1 # 加一\nend\nputs "#{Counter.new.next!}"',
};
