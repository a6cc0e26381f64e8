import DefaultTheme from "vitepress/theme-without-fonts";
import "./home.css";
import "./style.css";

export default DefaultTheme;
