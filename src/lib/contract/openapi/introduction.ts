/** Rules of all calls, in Markdown (CONTRACT.md, "Basics"). */
export const INTRODUCTION = `这个网站的每个调用都在这里。旧客户端依赖它们的名字、拼写和状态码，所以只会增加，不会改变。

- **身份**：请求头写 \`Authorization: Bearer <令牌>\`。脚本用访问令牌，在「账号设置」里新建；每个调用写明它要的权限。
- **提交**：POST 的内容可以是 JSON，也可以是 qs 形式的表单（\`tags[0]=a&tags[1]=b\`）；开关在表单里写 true 或 false。
- **回答**：成功是 \`{"code": "OK", "data": …}\`；被拒绝是 \`{"code": "ERROR", "data": "中文说明", "error": "原因"}\`，多数情况下 HTTP 状态也是 200，请看 \`code\`。\`error\` 的名字不会变，\`data\` 的文字会。
- **时间**是 ISO 8601 的 UTC 时间，**编号**是 24 位十六进制数，**字数**按字符（码位）计，首尾的空白会去掉。
- **分页**从 1 数起；超出范围的 \`page\`、\`pageSize\` 会改成最近的值，不会被拒绝。
- **次数**太多时是 429，\`Retry-After\` 里写着几秒后再试。
- 不该看到的内容，和不存在的内容回答一样。`;
