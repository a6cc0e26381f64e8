import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./buttons.tsx";
import { Loading } from "./page.tsx";

/** A component whose code is loaded when it is first shown. If that fails, the user can load the page again. */
export function onDemand<Props extends object>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  return function OnDemand(props) {
    const [Found, setFound] = useState(() => loaded);
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then(
        (component) => {
          loaded = component;
          setFound(() => component);
        },
        () => setFailed(true),
      );
    }, []);
    if (Found !== undefined) return <Found {...props} />;
    return hasFailed ? <NotLoaded /> : <Loading rem={[2.2, 24]} />;
  };
}

/** Some browsers remember that a module is missing, and a newer server has others. So only a reload helps. */
function NotLoaded() {
  return (
    <div class="note bad" role="alert">
      <p>This page could not be loaded. The server cannot be reached, or it has a newer console.</p>
      <Button onClick={() => location.reload()}>Reload</Button>
    </div>
  );
}
