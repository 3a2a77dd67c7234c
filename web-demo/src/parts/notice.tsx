import type { ReactNode } from 'react';

/** Something to be told: an error is announced at once, the rest when there is time. */
export function Notice({ kind, title, children }: { kind: 'error' | 'warning' | 'info'; title?: string; children?: ReactNode }) {
  return (
    <div className={`notice ${kind}`} role={kind === 'error' ? 'alert' : 'status'}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}
