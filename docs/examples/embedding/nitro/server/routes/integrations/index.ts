export { default } from "./[...]";
