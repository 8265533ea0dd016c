import { describe, expect, test } from 'vitest';
import { createOutside } from '../../../src/lib/server/outside/outside.ts';

describe('receivers of webhooks', () => {
  const NAMES = {
    'hooks.example.com': ['93.184.215.14'],
    'intranet.example.com': ['10.1.2.3'],
    'bot.lan': ['10.1.2.4'],
  };
  const outside = createOutside({
    resolve: async (host) => NAMES[host as keyof typeof NAMES] ?? Promise.reject(new Error('no answer')),
    privateHosts: ['10.0.0.5:8080', '[fd00::1]', 'bot.lan'],
  });

  test.for([
    'https://hooks.example.com/in',
    'http://hooks.example.com/in?key=1',
    'https://93.184.215.14/',
    // DNS does not answer now; a later delivery may succeed.
    'https://soon.example.org/',
    // Allowed by the operator.
    'http://10.0.0.5:8080/hook',
    'http://[fd00::1]/hook',
    'https://bot.lan/hook',
  ])('%s can be saved', async (url) => {
    await expect(outside.requireReceiver(url)).resolves.toBeUndefined();
  });

  test.for([
    'http://127.0.0.1/',
    'http://127.0.0.1:8080/hook',
    'http://2130706433/',
    'http://[::1]/',
    'http://10.0.0.5/hook',
    'http://10.0.0.5:8081/hook',
    'http://192.168.1.2/',
    'http://169.254.169.254/latest/meta-data',
    'http://localhost/',
    'http://nas/',
    'http://nas./',
    'http://nas.local/',
    'http://bot.lan:8080/',
    'http://sub.bot.lan/',
    'http://db.internal/',
    'https://intranet.example.com/',
    'https://hooks.example.com:8443/',
    'https://soon.example.org:22/',
    'ftp://hooks.example.com/',
    'http://user:secret@10.0.0.5:8080/',
  ])('%s is refused when it is saved', async (url) => {
    await expect(outside.requireReceiver(url)).rejects.toMatchObject({ code: 'URL_REFUSED' });
  });

  test('the refusal names the host and the setting that allows it', async () => {
    await expect(outside.requireReceiver('http://192.168.1.2:9000/in?key=geheim')).rejects.toMatchObject({
      field: 'url',
      message: expect.stringMatching(
        /^(?!.*geheim).*WEBHOOK_PRIVATE_HOSTS 里写上 192\.168\.1\.2:9000$/,
      ) as string,
    });
  });
});
