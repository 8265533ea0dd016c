import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { FORMATS, type WebhookMessage } from '../../../src/lib/server/notices/webhook-formats.ts';

const NOW = 1_599_360_473_000;
const MESSAGE: WebhookMessage = {
  id: 'a1',
  kind: 'comment',
  time: NOW,
  site: '墨页',
  title: '裴迪 评论了《鹿柴》',
  text: '好诗',
  url: 'https://blog.example.com/detail/1',
};
const TEXT = '【墨页】裴迪 评论了《鹿柴》\n好诗\nhttps://blog.example.com/detail/1';

test('企业微信 gets a text without a signature', () => {
  const url = 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=k';
  const asked = FORMATS.wecom.ask(MESSAGE, { url, secret: '' }, NOW);
  expect(asked.url).toBe(url);
  expect(JSON.parse(asked.body)).toEqual({ msgtype: 'text', text: { content: TEXT } });
});

test('钉钉 signs time and secret, with the secret as key, in the address', () => {
  const place = { url: 'https://oapi.dingtalk.com/robot/send?access_token=t', secret: 'SEC1' };
  const asked = FORMATS.dingtalk.ask(MESSAGE, place, NOW);
  const { searchParams } = new URL(asked.url);
  expect(searchParams.get('access_token')).toBe('t');
  expect(searchParams.get('timestamp')).toBe(String(NOW));
  expect(searchParams.get('sign')).toBe(createHmac('sha256', 'SEC1').update(`${NOW}\nSEC1`).digest('base64'));
  expect(JSON.parse(asked.body)).toEqual({ msgtype: 'text', text: { content: TEXT } });
  expect(FORMATS.dingtalk.ask(MESSAGE, { ...place, secret: '' }, NOW).url).toBe(place.url);
});

test('飞书 signs an empty text, with time and secret as key, in the body', () => {
  const place = { url: 'https://open.feishu.cn/open-apis/bot/v2/hook/x', secret: 'demo' };
  const body = JSON.parse(FORMATS.feishu.ask(MESSAGE, place, NOW).body) as Record<string, unknown>;
  const sign = createHmac('sha256', '1599360473\ndemo').update('').digest('base64');
  expect(body).toEqual({ timestamp: '1599360473', sign, msg_type: 'text', content: { text: TEXT } });
});

test('a reader’s text mentions no one in a chat, and is cut to its limit', () => {
  const text = `<at user_id="all">所有人</at>${'长'.repeat(5_000)}`;
  for (const format of ['wecom', 'dingtalk', 'feishu'] as const) {
    const { body } = FORMATS[format].ask(
      { ...MESSAGE, text },
      { url: 'https://a.example.com', secret: '' },
      NOW,
    );
    expect(body).not.toContain('<');
    expect(Buffer.byteLength(body)).toBeLessThan(2_048);
    expect(body).toContain('…');
    expect(body).toContain(MESSAGE.url);
  }
});

test('an error response is a complaint, in each service’s format; so is an unknown response', () => {
  for (const format of ['wecom', 'dingtalk', 'feishu'] as const)
    expect(FORMATS[format].complaintIn('<html>')).toBe('对方的回答看不懂');
  expect(FORMATS.wecom.complaintIn('{"errcode":0,"errmsg":"ok"}')).toBeNull();
  expect(FORMATS.dingtalk.complaintIn('{"errcode":310000,"errmsg":"sign not match"}')).toBe(
    '310000 sign not match',
  );
  expect(FORMATS.feishu.complaintIn('{"code":19021,"msg":"sign match fail"}')).toBe('19021 sign match fail');
  expect(FORMATS.feishu.complaintIn('{"StatusCode":0,"StatusMessage":"success"}')).toBeNull();
  expect(FORMATS.json.complaintIn('whatever')).toBeNull();
});
