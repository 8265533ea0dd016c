/** A tag as it stands in a text. */
export interface Found {
  start: number;
  end: number;
  /** `{% %}` and `{{ }}` of Hexo and Jekyll, `{{< >}}` and `{{% %}}` of Hugo, and its way to show those. */
  kind: 'liquid' | 'output' | 'hugo' | 'escaped';
  name: string;
  /** What is behind the name. */
  source: string;
  isEnd: boolean;
  /** `{{< name />}}`: nothing ends it. */
  isClosed: boolean;
  /** From 0, of the text. */
  line: number;
  /** Where its end begins and ends, if what it encloses is no markdown. */
  rawEnd?: { start: number; end: number };
}
