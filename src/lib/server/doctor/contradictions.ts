import { resolve, sep } from 'node:path';
import type { Config } from '../config/config.ts';
import type { OperatorValues } from '../config/operator-variables.ts';
import { isAnyAddress, isLoopbackHost } from '../http/local-request.ts';

export type Settings = Pick<
  Config,
  | 'host'
  | 'origin'
  | 'trustedHops'
  | 'metrics'
  | 'limitsRates'
  | 'dataDir'
  | 'databaseUrl'
  | 'uploads'
  | 'pageCacheBytes'
> & { operator: Pick<OperatorValues, 'search' | 'backup' | 'sso'> };

/**
 * Returns a Chinese sentence for each contradiction between settings. config.ts refuses settings with which a
 * server cannot start.
 */
export function contradictionsIn(settings: Settings): string[] {
  const { host, origin, trustedHops, metrics, limitsRates, operator, pageCacheBytes } = settings;
  const { protocol, hostname } = new URL(origin);
  const isPublic = !isLoopbackHost(hostname) && !isAnyAddress(hostname);
  const isHttps = protocol === 'https:';
  const found: [boolean, string][] = [
    [
      isAnyAddress(hostname) || (!isPublic && !isLoopbackHost(host)),
      `SITE_URL 是 ${origin}，读者打不开：没有设置它，而 HOST 对外开放`,
    ],
    [
      trustedHops > 0 && !isHttps && isPublic,
      `TRUST_PROXY=${trustedHops} 说前面有代理，SITE_URL 却是 http：登录的 cookie 不加密传送`,
    ],
    [
      trustedHops === 0 && isPublic && (isHttps || isLoopbackHost(host)),
      `SITE_URL 是 ${origin}，前面必有代理，TRUST_PROXY 却是 0：所有读者都算作同一个地址，会一起被限流`,
    ],
    [metrics === 'public' && isPublic, 'METRICS=public：谁都能读 /metrics'],
    [!limitsRates && isPublic, 'RATE_LIMIT=off 而网站对外开放：猜密码、发评论都不受限制'],
    [
      !isPublic && (operator.search.baidu !== null || operator.search.indexnow !== null),
      `要通知搜索引擎，SITE_URL 却是 ${origin}，它们打不开`,
    ],
    [pageCacheBytes === 0 && isPublic, 'PAGE_CACHE_MB=0：每个页面每次都重新生成'],
    ...operator.sso.providers.flatMap((each): [boolean, string][] => {
      if (each.kind !== 'oidc') return [];
      const { label, domains, scopes, trust, trustsEmail } = each;
      return [
        [
          domains.length > 0 && !scopes.split(/\s+/).includes('email'),
          `「${label}」限定了 domains，scopes 里却没有 email：服务商不给邮箱，谁也登录不了`,
        ],
        [
          trustsEmail && trust.includes('email'),
          `「${label}」同时有 trustsEmail 和 trust 里的 email：在那里能随意填邮箱的人，可以登录别人的账号`,
        ],
      ];
    }),
    [isBackupBeside(settings), 'BACKUP_TO 在 DATA_DIR 里：磁盘坏了，备份也没有了'],
  ];
  return found.flatMap(([isFound, text]) => (isFound ? [text] : []));
}

function isBackupBeside({ operator: { backup }, dataDir }: Settings): boolean {
  if (!backup || !('folder' in backup.to)) return false;
  const folder = resolve(backup.to.folder);
  return folder === dataDir || folder.startsWith(dataDir + sep);
}
