// Components in files of their own, which are loaded when they are first shown.
import type { ComponentType, FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

/** Shows nothing until it is loaded. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): FunctionComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  return (props) => {
    const [Loaded, setLoaded] = useState(() => loaded);
    useLayoutEffect(() => {
      if (Loaded !== undefined) return;
      void load().then((component) => {
        loaded = component;
        setLoaded(() => component);
      });
    }, []);
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}
