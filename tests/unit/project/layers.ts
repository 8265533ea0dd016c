/**
 * The zone of each file, by the first pattern that matches. Folders of server/ without a line here are
 * features.
 */
export const zones: [zone: string, pattern: RegExp][] = [
  ['styles', /\.css$/],
  ['data', /^src\/changelog\.ts$/],
  ['plain', /^src\/icons\//],
  ['fetch', /^src\/fetch\.ts$/],
  ['requests', /^src\/lib\/requests\.ts$/],
  ['plain', /^src\/components\/(icons|ids|own-kinds|page-window|time|urls)\.ts$/],
  ['pages', /^src\/pages\//],
  ['layouts', /^src\/layouts\//],
  ['components', /^src\/components\//],
  ['islands', /^src\/islands\//],
  [
    'plain',
    /^src\/lib\/(common-ends|same-site-path|site-settings|palette|palette-sheet|client\/token|relative-time|blog\/page-(list|tags|key)|purge-signature|contract\/(authored-fields|bounds|errors|licences|made-files|moderation|names|notice-kinds|own-list|permissions|report-reasons|pictures|picture-variants|routes|site-bounds|tag-kinds)|markdown\/(cell-break|graphemes|word-count)|markdown-file\/write-file)\.ts$/,
  ],
  ['contract', /^src\/lib\/contract\//],
  ['blog', /^src\/lib\/blog\/(article-card|backend|blog|remote|remote-discovery)\.ts$/],
  ['edge-server', /^src\/lib\/edge\/node-server\.ts$/],
  ['edge', /^src\/lib\/edge\//],
  ['blog-dev', /^src\/lib\/blog\/dev\.ts$/],
  ['blog-local', /^src\/lib\/blog\/local/],
  ['markdown', /^src\/lib\/markdown\//],
  ['markdown-file', /^src\/lib\/markdown-file\//],
  ['client', /^src\/lib\/client\//],
  ['stores', /^src\/lib\/stores\//],
  ['cli', /^src\/lib\/cli\//],
  ['main', /^src\/lib\/server\/(main|start|guides)\.ts$/],
  [
    'app',
    /^src\/lib\/server\/(app|backup|backup-worker|databases|doctor|export|export-worker|move|open-backups|open-exports|open-files|open-site|open-storage|reimport|reimport-articles|reimport-comments|reimport-lists|reimport-run|restore|upkeep)\.ts$/,
  ],
  ['services', /^src\/lib\/server\/services\.ts$/],
  ['config', /^src\/lib\/server\/config\.ts$/],
  ['shared', /^src\/lib\/server\/[^/]+\.ts$/],
  ['foreign-db', /^src\/lib\/server\/db\/foreign-tables\.ts$/],
  ['db', /^src\/lib\/server\/db\//],
  ['api', /^src\/lib\/server\/api\//],
  ['feature', /^src\/lib\/server\/[^/]+\//],
  ['types', /^src\/[^/]+\.d\.ts$/],
];

/**
 * Allowed imports by zone. `x (types)`: only types; `x (lazily)`: only types and `import()`. A zone may
 * import itself. Exception: a feature of the server may not import another feature, but gets its services as
 * arguments.
 */
export const allowed: Record<string, string[]> = {
  fetch: ['plain', 'requests', 'blog', 'blog-dev (lazily)'],
  /** Shared by calls and pages, outside of Astro and in it. */
  requests: ['plain', 'blog (types)'],
  pages: ['plain', 'layouts', 'components', 'islands', 'styles', 'data', 'blog (types)', 'contract (types)'],
  layouts: ['plain', 'components', 'islands', 'styles', 'contract (types)', 'blog (types)', 'markdown'],
  components: ['plain', 'layouts', 'islands', 'styles', 'contract (types)', 'blog (types)', 'markdown'],
  islands: [
    'plain',
    'stores',
    'client',
    'styles',
    'contract (types)',
    'markdown (lazily)',
    'markdown-file (lazily)',
  ],
  styles: [],
  data: [],
  /** Rules without dependencies, for server and browser. */
  plain: [],
  contract: ['plain'],
  blog: ['plain', 'contract', 'client', 'markdown (types)'],
  edge: ['plain', 'blog', 'contract', 'client', 'markdown'],
  'edge-server': ['requests', 'config', 'shared'],
  'blog-dev': ['app', 'config', 'main', 'blog'],
  'blog-local': [
    'plain',
    'blog',
    'contract',
    'markdown',
    'services (types)',
    'feature (types)',
    'shared (types)',
  ],
  markdown: ['plain'],
  /** An article as a file: for the operator's import and the editor. */
  'markdown-file': ['plain'],
  client: ['plain', 'contract'],
  stores: ['plain', 'client', 'contract'],
  cli: [
    'plain',
    'markdown',
    'markdown-file',
    'foreign-db',
    'app',
    'services (types)',
    'config',
    'contract (types)',
    'shared (types)',
    'feature (types)',
  ],
  main: ['plain', 'requests', 'app', 'services (types)', 'config', 'shared', 'db', 'feature', 'contract'],
  /**
   * The parts of an app, as types only, so modules that the app consists of can refer to it without an import
   * cycle.
   */
  services: ['blog (types)', 'config (types)', 'db (types)', 'feature (types)', 'shared (types)'],
  app: [
    'plain',
    'markdown-file',
    'services (types)',
    'config',
    'shared',
    'db',
    'api',
    'feature',
    'blog-local',
    'blog',
    'contract',
    'markdown',
  ],
  /** Databases of other products, which the server does not use. */
  'foreign-db': [],
  config: ['plain', 'shared'],
  shared: ['plain', 'contract', 'config (types)'],
  db: ['plain (types)', 'contract (types)', 'shared'],
  api: [
    'plain',
    'contract',
    'feature',
    'shared',
    'db (types)',
    'config (types)',
    'services (types)',
    'blog (types)',
  ],
  feature: [
    'plain',
    'db',
    'contract',
    'markdown',
    'markdown-file',
    'shared',
    'config (types)',
    'feature (types)',
    'blog (types)',
  ],
  types: [
    'plain (types)',
    'blog (types)',
    'services (types)',
    'shared (types)',
    'contract (types)',
    'islands (types)',
  ],
};
